import type { ForgeApps } from '../../app-port.ts'
import { isObject } from '../../json-object.ts'
import { describeRepository, hasNextLink, listRepositoryPages } from '../../repository-pages.ts'
import { callOf } from '../api.ts'

const PAGE = 100

/**
 * The repositories that a token of an installation may touch. An unchanged page costs nothing of the rate. GitHub's ETags
 * count the token in, so that this holds for as long as the same token is used.
 */
export const listRepositories: ForgeApps['listRepositories'] = ({ baseUrl, signal }, { token, known }) => {
  const connection = { baseUrl, token, signal }
  return listRepositoryPages(connection, {
    call: callOf(connection),
    path: (number) => `/installation/repositories?per_page=${PAGE}&page=${number}`,
    size: PAGE,
    known,
    readItems: (body) => (isObject(body) && Array.isArray(body['repositories']) ? body['repositories'] : undefined),
    readRepository: describeRepository,
    hasNext: hasNextLink,
  })
}
