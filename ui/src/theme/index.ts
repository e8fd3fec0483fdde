export { isBad, isFinal, lookOf, type StatusLook } from './statuses.ts'
export { PROPERTIES, THEME } from './theme.ts'
export { TONES, type Tone } from './tokens.ts'
