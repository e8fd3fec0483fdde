export { createTestClock, type TestClock } from './test-clock.ts'
export { createTestDatabase, type TestDatabase } from './test-database.ts'
export { until } from './until.ts'
