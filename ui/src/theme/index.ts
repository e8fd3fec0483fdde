export { isBad, isFinal, lookOf, STATUS_WORDS, type StatusLook } from './statuses.ts'
export { PROPERTIES, THEME } from './theme.ts'
export { TONES, type Tone } from './tokens.ts'
