export {
  type ArtifactRow,
  deleteArtifact,
  dropExpired,
  findArtifact,
  insertArtifact,
  listOfRun,
  sumArtifacts,
} from './artifacts.ts'
export {
  type BlobRow,
  completeBlob,
  findBlob,
  forgetParts,
  listParts,
  lockComplete,
  lockIncomplete,
  openBlob,
  type PartRow,
  type Purpose,
  recordPart,
  sumWaiting,
  takeUnused,
  useBlob,
} from './blobs.ts'
export { dropBeyond, dropUnused, findEntry, insertEntry, sumCaches, useEntry } from './cache.ts'
export { listQuotas, lockTeam, type QuotaRow, writeQuota } from './quotas.ts'
