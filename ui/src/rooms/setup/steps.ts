/** The way from a fresh installation to its first run. */
export const STEPS = [
  { key: 'token', label: 'Prove that it is yours' },
  { key: 'administrator', label: 'Create the administrator' },
  { key: 'address', label: 'Check the address' },
  { key: 'team', label: 'Create a team' },
  { key: 'run', label: 'Run a pipeline' },
] as const
export type Step = (typeof STEPS)[number]['key']

/** Of the address: where the person goes on after a reload. Those before need the bootstrap token, which is kept nowhere. */
export function readStep(value: unknown): { readonly step?: Step } {
  const step = STEPS.find(({ key }) => key === value && key !== 'token' && key !== 'administrator')
  return step ? { step: step.key } : {}
}

export interface Progress {
  /** Nobody can sign in yet. */
  readonly isSetupNeeded: boolean
  readonly hasToken: boolean
  /** Of the address. */
  readonly wanted: Step | undefined
}

/** The step that comes now. */
export function currentStep({ isSetupNeeded, hasToken, wanted }: Progress): Step {
  if (isSetupNeeded) return hasToken ? 'administrator' : 'token'
  return wanted ?? 'address'
}

/** A pipeline that needs no repository and shows what a run is made of. */
export const SAMPLE = `name: hello
steps:
  - name: greet
    tasks:
      - name: hello
        checkout: false
        run: echo "Hello from $SIGNALBOX_RUN_ID"
      - name: machine
        checkout: false
        run: uname -a
  - name: count
    depends_on: [greet]
    tasks:
      - name: to-five
        checkout: false
        run: for i in 1 2 3 4 5; do echo "$i"; sleep 0.3; done
`
export const SAMPLE_NAME = 'hello'
export const SAMPLE_ENVIRONMENT = 'test'
