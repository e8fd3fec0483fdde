import { Skeleton, Title } from '@mantine/core'
import { sessionRoutes } from '@signalbox/contracts/sessions/routes'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Navigate, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { connection, invalidate, read } from '../../client/index.ts'
import { mayBeSignedIn } from '../../client/session-hint.ts'
import { ProblemNotice } from '../../components/index.ts'
import { SignInAgain } from '../../shell/index.ts'
import { AddressStep } from './address-step.tsx'
import { AdministratorStep } from './administrator-step.tsx'
import { RunStep } from './run-step.tsx'
import styles from './setup-page.module.css'
import { currentStep, STEPS, type Step } from './steps.ts'
import { TeamStep } from './team-step.tsx'
import { TokenStep } from './token-step.tsx'

const page = getRouteApi('/setup')

/** From a fresh installation to its first run. */
export function SetupPage(): ReactNode {
  const { step: wanted, team = '' } = page.useSearch()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const ways = useQuery(read(sessionRoutes.getSignIn))
  // In memory alone: whoever holds it is an administrator.
  const [token, setToken] = useState('')
  if (ways.data && !ways.data.setup_needed && !mayBeSignedIn()) {
    return <Navigate to="/sign-in" search={{ wanted: '/setup' }} replace />
  }
  const go = (step: Step, search: { readonly team?: string } = {}): void =>
    void navigate({ to: '/setup', search: { step, ...search } })

  async function afterAdministrator(): Promise<void> {
    setToken('')
    connection.signedIn()
    await invalidate(queries, [sessionRoutes.getSignIn])
    go('address')
  }

  function draw(step: Step): ReactNode {
    switch (step) {
      case 'token':
        return <TokenStep onProved={setToken} />
      case 'administrator':
        return <AdministratorStep token={token} onMade={() => void afterAdministrator()} />
      case 'address':
        return <AddressStep onDone={() => go('team')} />
      case 'team':
        return <TeamStep onMade={(made) => go('run', { team: made })} />
      case 'run':
        return <RunStep team={team} />
    }
  }

  if (!ways.data) {
    return (
      <Frame step={undefined}>
        {ways.error ? <ProblemNotice error={ways.error} onRetry={() => void ways.refetch()} /> : <Skeleton h="8rem" />}
      </Frame>
    )
  }
  const step = currentStep({ isSetupNeeded: ways.data.setup_needed, hasToken: token !== '', wanted })
  return (
    <Frame step={step}>
      {draw(step)}
      {!ways.data.setup_needed && <SignInAgain />}
    </Frame>
  )
}

function Frame({ step, children }: { readonly step: Step | undefined; readonly children: ReactNode }): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = 'Set up Signalbox · Signalbox'
  }, [])
  const [first, setFirst] = useState(step)
  if (first === undefined && step !== undefined) setFirst(step)
  useEffect(() => {
    // A new step begins at its head.
    if (step !== first) heading.current?.focus()
  }, [step, first])
  return (
    <main className={styles['page']}>
      <div className={styles['card']}>
        <Title order={1}>Set up Signalbox</Title>
        <ol className={styles['steps']}>
          {STEPS.map(({ key, label }) => (
            <li key={key} aria-current={key === step ? 'step' : undefined}>
              {label}
            </li>
          ))}
        </ol>
        <Title order={2} ref={heading} tabIndex={-1}>
          {STEPS.find(({ key }) => key === step)?.label ?? 'Asking the control plane'}
        </Title>
        {children}
      </div>
    </main>
  )
}
