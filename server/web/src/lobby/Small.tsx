/** The map's own small picture: a part by itself, fetched after the page stands. */
export { MapPicture as default } from "@/board/MapPicture";
