export { FakeRunner } from './fake-runner.ts'
export * from './house.ts'
