export { type EmbeddedServer, startEmbedded } from './server.ts'
export { DataDirHeld, lockDataDir } from './lock.ts'
