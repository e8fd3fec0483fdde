export { DataDirHeld, type DataDirLock, lockDataDir } from './lock.ts'
export { type EmbeddedServer, startEmbedded } from './server.ts'
