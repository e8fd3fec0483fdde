export { findRepeatedKey, type MayRepeat } from './repetition.ts'
export { countMembers, type JsonLimits, type JsonScan, scanJson } from './scan.ts'
