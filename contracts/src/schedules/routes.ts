import { routesOf } from '../http/routes.ts'
import type * as shapes from './index.ts'

const schedules = { tag: 'schedules', path: '/v1/schedules' } as const
const schedule = { tag: 'schedules', path: '/v1/schedules/:id', params: 'ScheduleParams' } as const
const backfill = {
  tag: 'schedules',
  path: '/v1/schedules/:id/backfills/:backfill_id',
  params: 'BackfillParams',
} as const

export const scheduleRoutes = routesOf<typeof shapes>()({
  listSchedules: {
    ...schedules,
    method: 'GET',
    summary: 'List the schedules that the caller may see, newest first',
    permission: 'schedule.read',
    query: 'ScheduleQuery',
    answers: { 200: ['Schedule'] },
  },
  createSchedule: {
    ...schedules,
    method: 'POST',
    summary: 'Create a schedule; its runs start on behalf of the caller',
    permission: 'schedule.write',
    body: 'ScheduleDocument',
    answers: { 201: 'Schedule' },
  },
  previewSchedule: {
    ...schedules,
    method: 'POST',
    path: '/v1/schedules/preview',
    summary: 'The next instants of a timing, and what it says in words, without storing it',
    class: 'authenticated',
    limitedTokens: 'ask',
    body: 'SchedulePreviewInput',
    answers: { 200: 'SchedulePreview' },
  },
  getSchedule: {
    ...schedule,
    method: 'GET',
    summary: 'Show a schedule with its recent runs and its next instants',
    permission: 'schedule.read',
    answers: { 200: 'ScheduleDetail' },
  },
  replaceSchedule: {
    ...schedule,
    method: 'PUT',
    summary: 'Replace a schedule; the caller becomes its owner',
    permission: 'schedule.write',
    body: 'ScheduleDocument',
    answers: { 200: 'Schedule' },
  },
  updateSchedule: {
    ...schedule,
    method: 'PATCH',
    summary: 'Change some fields of a schedule; the caller becomes its owner',
    permission: 'schedule.write',
    body: 'SchedulePatch',
    answers: { 200: 'Schedule' },
  },
  deleteSchedule: {
    ...schedule,
    method: 'DELETE',
    summary: 'Delete a schedule with its history; its runs go on',
    permission: 'schedule.write',
    answers: { 204: 'empty' },
  },
  enableSchedule: {
    ...schedule,
    method: 'POST',
    path: '/v1/schedules/:id/enable',
    summary: 'Enable a schedule: it fires from now on, on behalf of the caller; nothing is made up for',
    permission: 'schedule.write',
    answers: { 200: 'Schedule' },
  },
  disableSchedule: {
    ...schedule,
    method: 'POST',
    path: '/v1/schedules/:id/disable',
    summary: 'Disable a schedule: it fires no more; its runs go on',
    permission: 'schedule.write',
    answers: { 200: 'Schedule' },
  },
  runSchedule: {
    ...schedule,
    method: 'POST',
    path: '/v1/schedules/:id/run',
    summary: 'Start a run now as the schedule would, on behalf of the caller; its next instant stays',
    permission: 'run.start',
    answers: { 202: 'ScheduleRunStarted' },
  },
})

/** What became of instants. */
export const fireRoutes = routesOf<typeof shapes>()({
  listFires: {
    ...schedule,
    method: 'GET',
    path: '/v1/schedules/:id/fires',
    summary: 'What became of each instant of a schedule, newest first',
    permission: 'schedule.read',
    query: 'FireQuery',
    answers: { 200: ['ScheduleFire'] },
  },
})

export const backfillRoutes = routesOf<typeof shapes>()({
  createBackfill: {
    ...schedule,
    method: 'POST',
    path: '/v1/schedules/:id/backfill',
    summary: 'Start the runs of a past range of instants, some at a time, on behalf of the caller',
    permission: 'run.start',
    body: 'BackfillInput',
    answers: { 202: 'Backfill' },
  },
  listBackfills: {
    ...schedule,
    method: 'GET',
    path: '/v1/schedules/:id/backfills',
    summary: 'List the backfills of a schedule, newest first',
    permission: 'schedule.read',
    query: 'BackfillQuery',
    answers: { 200: ['Backfill'] },
  },
  getBackfill: {
    ...backfill,
    method: 'GET',
    summary: 'How far a backfill is',
    permission: 'schedule.read',
    answers: { 200: 'Backfill' },
  },
  cancelBackfill: {
    ...backfill,
    method: 'POST',
    path: '/v1/schedules/:id/backfills/:backfill_id/cancel',
    summary: 'Start no more runs of a backfill; those that it started go on',
    permission: 'run.cancel',
    answers: { 200: 'Backfill' },
  },
})

export const explainRoutes = routesOf<typeof shapes>()({
  explainSchedule: {
    ...schedules,
    method: 'GET',
    path: '/v1/explain/schedule',
    summary: 'Why a schedule fired or did not fire at an instant',
    permission: 'schedule.read',
    query: 'ScheduleExplanationQuery',
    answers: { 200: 'ScheduleExplanation' },
  },
})
