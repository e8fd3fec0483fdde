export { SESSION_COLUMNS } from './session-columns.tsx'
export { wordsOf } from './sign-in-errors.ts'
