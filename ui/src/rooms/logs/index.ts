export { LogView } from './log-view.tsx'
