export { readTyped } from './clues.ts'
export { type Candidate, chooseFound, fromSearch, placeOf } from './found.ts'
export { mergeFound, readKinds, readWish } from './search.ts'
