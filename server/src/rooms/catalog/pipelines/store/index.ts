export {
  type CurrentPipeline,
  findCurrent,
  findPipeline,
  insertPipeline,
  listPipelines,
  lockPipeline,
  markDeleted,
  type PipelineKey,
  type PipelineRow,
  setCurrentVersion,
} from './pipelines.ts'
export { replaceProfiles } from './profiles.ts'
export { findRunnable, findRunnableVersion, type RunnableVersion } from './runnable.ts'
export { findDocument, findGraph, findVersion, insertVersion, listVersions, type VersionRow } from './versions.ts'
