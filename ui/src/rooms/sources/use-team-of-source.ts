import { sourceRoutes } from '@signalbox/contracts/sources/routes'
import { useQuery } from '@tanstack/react-query'
import { read } from '../../client/index.ts'

/** The path of the team whose source it is; undefined while that is asked. A delivery names its source alone. */
export function useTeamOfSource(id: string): string | undefined {
  return useQuery(read(sourceRoutes.getSource, { params: { sourceID: id } })).data?.team_path
}
