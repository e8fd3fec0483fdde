import { Select } from '@mantine/core'
import { groupRoutes, serviceAccountRoutes, userRoutes } from '@signalbox/contracts/access/routes'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { itemsOf, readAll } from '../../client/index.ts'

interface SubjectSelectProps {
  /** user:<id>, group:<id> or service_account:<id>. */
  readonly value: string
  readonly onChange: (subject: string) => void
  readonly error?: string | undefined
}

const ALL = { query: { limit: 500 } } as const

/** A user, a group or a service account among those that one may see. */
export function SubjectSelect({ value, onChange, error }: SubjectSelectProps): ReactNode {
  // Who may not see one of the kinds is offered the others.
  const users = useQuery({ ...readAll(userRoutes.listUsers, ALL), retry: false })
  const groups = useQuery({ ...readAll(groupRoutes.listGroups, ALL), retry: false })
  const accounts = useQuery({ ...readAll(serviceAccountRoutes.listServiceAccounts, ALL), retry: false })
  const data = [
    {
      group: 'Users',
      items: itemsOf(users.data).map(({ id, login }) => ({ value: `user:${id}`, label: login })),
    },
    {
      group: 'Groups',
      items: itemsOf(groups.data).map(({ id, name }) => ({ value: `group:${id}`, label: name })),
    },
    {
      group: 'Service accounts',
      items: itemsOf(accounts.data).map(({ id, team_path, name }) => ({
        value: `service_account:${id}`,
        label: `${team_path}/${name}`,
      })),
    },
  ].filter(({ items }) => items.length > 0)
  return (
    <Select
      label="Who"
      required
      searchable
      allowDeselect={false}
      data={data}
      value={value === '' ? null : value}
      error={error}
      onChange={(chosen) => onChange(chosen ?? '')}
    />
  )
}
