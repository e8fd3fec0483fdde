export { type ManifestPlace, triggersOf } from './manifest-place.ts'
export {
  type ManifestEntry,
  type ManifestProblem,
  type ManifestReading,
  type ReadManifest,
  readManifest,
} from './read-manifest.ts'
export { manifestJsonSchema } from './schema.ts'
