export {
  findRegistryFault,
  formatImageReference,
  formatRepository,
  type ImageReading,
  type ImageReference,
  normalRegistry,
  parseImageReference,
  thisMachine,
} from './image-reference.ts'
export { isPullPolicy, type PullPolicy, pullPolicies } from './pull-policy.ts'
export {
  type BoundCredential,
  bindCredentials,
  findCredentialFault,
  type RegistryCredential,
} from './registry-credential.ts'
