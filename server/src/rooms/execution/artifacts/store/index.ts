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
  takeAnnounced,
  takeUnused,
  useBlob,
} from './blobs.ts'
export { dropBeyond, dropUnused, findEntry, findKept, insertEntry, sumCaches, useEntry } from './cache.ts'
export {
  expectObject,
  forgetLooseObjects,
  loosenObjects,
  settleObject,
  takeLooseObjects,
} from './loose-objects.ts'
export { listQuotas, lockTeam, type QuotaRow, writeQuota } from './quotas.ts'
