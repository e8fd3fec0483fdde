import { Alert, PasswordInput, Stack } from '@mantine/core'
import { userRoutes } from '@signalbox/contracts/access/routes'
import { sessionRoutes } from '@signalbox/contracts/sessions/routes'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { read, useWrite } from '../../client/index.ts'
import { fieldError, ProblemNotice, ReadyButton, Section } from '../../components/index.ts'
import styles from './password-section.module.css'

interface PasswordSectionProps {
  readonly userId: string
  readonly login: string
}

/** Another password, for those who have one; it ends all other sessions. */
export function PasswordSection({ userId, login }: PasswordSectionProps): ReactNode {
  const user = useQuery(read(userRoutes.getUser, { params: { id: userId } }))
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const change = useWrite(userRoutes.updateUser, {
    changes: [sessionRoutes.listSessions, userRoutes.getUser],
    onDone: () => {
      setCurrent('')
      setNext('')
    },
  })
  if (!user.data?.has_password) return null

  function submit(event: FormEvent): void {
    event.preventDefault()
    change.mutate({ params: { id: userId }, body: { password: next, current_password: current } })
  }

  return (
    <Section title="Change your password">
      <form className={styles['form']} onSubmit={submit}>
        {/* For password managers, which store the two together. */}
        <input type="text" name="username" autoComplete="username" value={login} readOnly hidden />
        <Stack gap="md">
          <PasswordInput
            label="Password now"
            autoComplete="current-password"
            required
            value={current}
            error={fieldError(change.error, 'current_password')}
            onChange={({ currentTarget }) => setCurrent(currentTarget.value)}
          />
          <PasswordInput
            label="New password"
            description="At least 12 characters. All other sessions end."
            autoComplete="new-password"
            required
            minLength={12}
            maxLength={1024}
            value={next}
            error={fieldError(change.error, 'password')}
            onChange={({ currentTarget }) => setNext(currentTarget.value)}
          />
          <ProblemNotice error={change.error} marked={['current_password', 'password']} />
          {change.isSuccess && (
            <Alert color="good" variant="light" role="alert">
              The password is changed, and all other sessions have ended.
            </Alert>
          )}
          <ReadyButton type="submit" loading={change.isPending}>
            Change the password
          </ReadyButton>
        </Stack>
      </form>
    </Section>
  )
}
