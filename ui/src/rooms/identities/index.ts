export { Identities } from './identities.tsx'
