/** Words: everything a person reads. Keys and messages stand in schema/words; nothing else imports the
 * files of this folder. */
export {
    followLanguage, has, language, languages, preferredLanguage, setLanguage, startWords, t, tt,
  useCatalogue,
} from "./catalogue";
export type { Language } from "./catalogue";
export { capital, plain } from "./format";
export type { Args, Token, Value } from "./format";
export { Rich, T } from "./T";
export {
  armName, commas, formationName, lane, list, nationName, nationUnits, path, seatName, sideName, slot, stopped, townName,
  townPhrase, unitName, unitPhrase,
} from "./names";
export { ago, dateTime, day, deadline, duration, storyDate, useZone } from "./times";
export { sentence, sentences } from "./sentence";
export type { Event, Viewer } from "./reader";
export { promptWords } from "./prompt";
export type { PromptWords } from "./prompt";
export { refusalText, refusalWords } from "./refusal";
export type { RpcError } from "./refusal";
