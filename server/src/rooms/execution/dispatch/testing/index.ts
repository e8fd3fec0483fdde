export { FakeRunner } from './fake-runner.ts'
export * from './house.ts'
export * from './stage.ts'
