import { useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { usePageTeam } from '../components/index.ts'
import { rememberedTeam, rememberTeam } from './remembered-team.ts'

/** The team of the address, else that of the object which the page shows, else the one that was chosen last. */
export function useShownTeam(): string {
  const { team } = useParams({ strict: false })
  const ofPage = usePageTeam()
  useEffect(() => {
    if (team !== undefined) rememberTeam(team)
  }, [team])
  return team ?? ofPage ?? rememberedTeam()
}
