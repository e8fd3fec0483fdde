export { aGraph, anApproval, aRun, aStep, aTask, noContext } from './graphs.ts'
export { Play } from './play.ts'
