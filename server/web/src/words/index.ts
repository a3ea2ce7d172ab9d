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
  armName, boxName, commas, edgeName, formationName, hexPhrase, hexsideName, lane, list, nationName, nationUnits, path, placeName, resultName,
  seatName, sideName, slot, stopped, terrainName, townName, townPhrase, turnPhaseName, unitName, unitOf, unitPhrase,
} from "./names";
export { ago, dateTime, day, deadline, duration, longDate, storyDate, useZone } from "./times";
export { sentence, sentences } from "./sentence";
export type { Event, Viewer } from "./reader";
export { promptWords } from "./prompt";
export type { PromptWords } from "./telling";
export type { Scene } from "./sentence";
export { armyOf, clockSteps, gamesInWords, phaseOf, seatSide, turnName } from "./games";
export { refusalText, refusalWords } from "./refusal";
export type { RpcError } from "./refusal";
