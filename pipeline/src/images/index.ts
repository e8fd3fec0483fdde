export {
  findRegistryFault,
  formatImageReference,
  formatRepository,
  type ImageReading,
  type ImageReference,
  normalRegistry,
  parseImageReference,
  THIS_MACHINE,
} from './image-reference.ts'
export { isPullPolicy, PULL_POLICIES, type PullPolicy } from './pull-policy.ts'
export {
  type BoundCredential,
  bindCredentials,
  findCredentialFault,
  type RegistryCredential,
} from './registry-credential.ts'
