import type { TestProject } from 'vitest/node'

import { makeTemplate, type Template } from './database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    template: Template
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { template, stop } = await makeTemplate()
  project.provide('template', template)
  return stop
}
