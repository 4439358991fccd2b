import type { ComponentProps, ComponentType } from 'react'

import { BooleanInput } from './BooleanInput.tsx'
import { ListInput } from './ListInput.tsx'
import { MomentInput } from './MomentInput.tsx'
import { SelectInput } from './SelectInput.tsx'
import { TextInput } from './TextInput.tsx'
import { When } from './When.tsx'

const INPUTS = { BooleanInput, ListInput, MomentInput, SelectInput, TextInput, When }
type All = typeof INPUTS

/** The inputs of a form with known fields: any other source does not compile. */
export type Inputs<Field extends string> = {
  readonly [K in keyof All]: ComponentType<Omit<ComponentProps<All[K]>, 'source'> & { source: Field }>
}
export const inputsOf = <Field extends string>(): Inputs<Field> => INPUTS
