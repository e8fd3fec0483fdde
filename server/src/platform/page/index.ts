export { openPage, type Page } from './page.ts'
export { servePage } from './serve-page.ts'
