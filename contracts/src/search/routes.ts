import { routesOf } from '../http/routes.ts'
import type * as shapes from './index.ts'

export const searchRoutes = routesOf<typeof shapes>()({
  search: {
    tag: 'search',
    method: 'GET',
    path: '/v1/search',
    summary: 'Look for things by name, as far as the caller may see them',
    class: 'authenticated',
    query: 'SearchQuery',
    answers: { 200: 'SearchAnswer' },
  },
})
