import type { StarterPlaybook } from '#contract/playbooks/schema.ts'

/** The starter library, in the order in which it is offered. */
export const STARTERS: StarterPlaybook[] = []
