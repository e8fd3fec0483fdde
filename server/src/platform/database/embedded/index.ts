export { inspectCluster } from './inspect-cluster.ts'
export { DataDirHeld, type DataDirLock, lockDataDir } from './lock.ts'
export { DatabaseRefused, mayPass, type RefusalCode } from './refused.ts'
export { type EmbeddedServer, startEmbedded, urlOfRunning } from './server.ts'
