/** The engraved sheet as a picture: a part of its own, fetched after the page stands. */
export { MapPicture as default } from "@/board/MapPicture";
