export { createSecondThread, type SecondThread, type SlowWork } from './second-thread.ts'
export { answerInThread, openThread, type Thread } from './thread.ts'
