import { routesOf } from '../http/routes.ts'
import type * as shapes from './index.ts'

export const searchRoutes = routesOf<typeof shapes>()({
  search: {
    tag: 'search',
    method: 'GET',
    path: '/v1/search',
    summary: 'Look for things by name, as far as the caller may see them',
    class: 'authenticated',
    limitedTokens: 'ask',
    query: 'SearchQuery',
    answers: { 200: 'SearchAnswer' },
  },
  find: {
    tag: 'search',
    method: 'GET',
    path: '/v1/find',
    summary: 'Say what a name, an id, an address, a commit, a repository, a branch or a pull request means here',
    class: 'authenticated',
    limitedTokens: 'ask',
    query: 'FindQuery',
    answers: { 200: 'FindAnswer' },
  },
})
