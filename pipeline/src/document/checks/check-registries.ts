import { bindCredentials, findCredentialFault } from '../../images/index.ts'
import { fillIn, type Layout, type StepLayout } from '../matrix/index.ts'
import { registryCredentialsOf, type TaskOutline } from '../outline/index.ts'
import type { ProblemList } from '../problem.ts'
import { shorten } from '../shorten.ts'

/** Each credential of a task goes to one registry, and the document leaves no doubt which. */
export function checkRegistries(layout: Layout, problems: ProblemList): void {
  for (const step of layout.steps) {
    for (const task of step.step.tasks) {
      checkNames(task, problems)
      checkDoubt(step, task, problems)
    }
  }
}

const MOST_REGISTRIES = 20

function checkNames({ container }: TaskOutline, problems: ProblemList): void {
  const overflowing = [...container.registryCredentials.values()][MOST_REGISTRIES]
  if (overflowing !== undefined) {
    const message = `there are credentials of more than ${MOST_REGISTRIES} registries: leave out those that the task needs not`
    problems.add('invalid_value', overflowing.directive, overflowing, message)
  }
  for (const [registry, secret] of container.registryCredentials) {
    const fault = findCredentialFault(registry)
    if (fault === undefined) continue
    problems.add('invalid_name', secret.directive, secret, `${JSON.stringify(shorten(registry))} ${fault}`)
  }
}

/** The image of a profile is not known here: with it the question is asked again when the task starts. */
function checkDoubt(step: StepLayout, { container }: TaskOutline, problems: ProblemList): void {
  const { registryCredential, image, services } = container
  if (registryCredential === undefined) return
  const images = [image, ...services.map((service) => service.image)].flatMap((placed) => placed?.value ?? [])
  const combinations = images.some((text) => text.includes('${{')) ? (step.combinations ?? []) : [null]
  for (const combination of combinations) {
    const filled = images.map((text) => fillIn(text, combination).text)
    const bound = bindCredentials(registryCredentialsOf(container), filled)
    if (!('problem' in bound)) continue
    const { directive } = registryCredential
    problems.add('invalid_value', directive, registryCredential, `\`registry_credential\` ${bound.problem}`)
    return
  }
}
