export { artifactRoutes } from './artifacts.ts'
export { transferRoutes } from './transfers.ts'
