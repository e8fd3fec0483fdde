export { aGraph, anApproval, aStep, aTask, noContext } from './graphs.ts'
export { Play } from './play.ts'
