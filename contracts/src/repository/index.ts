export {
  type AddressFault,
  findAddressFault,
  liesWithin,
  MAX_REPOSITORY_ADDRESS,
  type RepositoryAddress,
  readAbsolutePath,
  readRepositoryAddress,
} from './address.ts'
export { branchOf, fullRef } from './ref.ts'
