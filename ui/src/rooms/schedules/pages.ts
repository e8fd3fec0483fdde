import { scheduleRoutes } from '@signalbox/contracts/schedules/routes'
import { IconCalendarTime } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readDocumentAhead, readPagesAhead } from '../../client/index.ts'
import { type ActionEntry, type NavigationEntry, shellRoute, teamPathQuery, teamRoute } from '../../shell/index.ts'
import { readScheduleAddress } from './schedule-address.ts'

const schedulesPage = createRoute({
  getParentRoute: () => teamRoute,
  path: 'schedules',
  loader: ({ context, params }) =>
    readPagesAhead(context.queries, scheduleRoutes.listSchedules, { query: teamPathQuery(params.team) }),
  component: lazyRouteComponent(() => import('./schedules-page.tsx'), 'SchedulesPage'),
})

const newSchedulePage = createRoute({
  getParentRoute: () => teamRoute,
  path: 'schedules/new',
  component: lazyRouteComponent(() => import('./new-schedule-page.tsx'), 'NewSchedulePage'),
})

const schedulePage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'schedules/$id',
  validateSearch: readScheduleAddress,
  loader: ({ context, params }) =>
    readDocumentAhead(context.queries, scheduleRoutes.getSchedule, { params: { id: params.id } }),
  component: lazyRouteComponent(() => import('./schedule-page.tsx'), 'SchedulePage'),
})

export const teamPages = [schedulesPage, newSchedulePage] as const
export const pages = [schedulePage] as const

export const navigation: readonly NavigationEntry[] = [
  {
    label: 'Schedules',
    icon: IconCalendarTime,
    path: 'schedules',
    group: 'causes',
    permission: 'schedule.read',
    key: 's',
  },
]

export const actions: readonly ActionEntry[] = [
  { label: 'Create a schedule', path: 'schedules/new', permission: 'schedule.write' },
]
