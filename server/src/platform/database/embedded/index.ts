export { DataDirHeld, lockDataDir } from './lock.ts'
export { type EmbeddedServer, startEmbedded } from './server.ts'
