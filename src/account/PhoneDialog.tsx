import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useNotify } from 'react-admin'
import { useId, useState } from 'react'
import { type FieldValues, FormProvider, useForm } from 'react-hook-form'
import * as z from 'zod/mini'

import { INVALID_OWN_PHONE } from '#contract/account/schema.ts'
import { phoneExtension, phoneNumberOr, SOMETHING_WENT_WRONG } from '#contract/kit/text.ts'
import { PHONE_FIELDS } from '#contract/kit/phone-fields.ts'
import { HttpProblem } from '#providers/problem.ts'
import { useSession } from '#providers/session.ts'
import { Awaiting, isAwaiting } from '#src/kit/feedback/Awaiting.tsx'
import { type FieldRule, FormRules, resolverOf } from '#src/kit/form/formRules.ts'
import { PhonesInput } from '#src/kit/form/PhonesInput.tsx'
import { useText } from '#src/kit/useText.ts'
import { useOffersSms } from '#src/config/useConfig.ts'

import { AccountDialog } from './AccountDialog.tsx'
import { changeMe, useCountries } from './queries.ts'

const Form = z.object({
  phoneNumber: phoneNumberOr(INVALID_OWN_PHONE),
  phoneExtension,
  secondPhoneNumber: phoneNumberOr(INVALID_OWN_PHONE),
  secondPhoneExtension: phoneExtension,
})

export function PhoneDialog({ onClose }: { onClose: () => void }) {
  const text = useText()
  const notify = useNotify()
  const formId = useId()
  const { countries, defaultCountry, query } = useCountries()
  const isWaiting = isAwaiting([query])
  const offersSms = useOffersSms()
  const { user } = useSession()
  const known = user?.phoneNumber ?? ''
  const [rules] = useState(() => new Map<string, FieldRule>())
  const form = useForm({
    defaultValues: Object.fromEntries(PHONE_FIELDS.map((field) => [field, user?.[field] ?? ''])),
    resolver: resolverOf(Form, rules),
  })
  const { isDirty, isSubmitting } = form.formState

  const save = async (values: FieldValues) => {
    const phones = values as z.output<typeof Form>
    try {
      await changeMe(phones)
      notify(
        text(
          phones.phoneNumber === null && phones.secondPhoneNumber === null
            ? 'account.phoneRemoved'
            : 'account.phoneSaved',
        ),
        { type: 'success' },
      )
      onClose()
    } catch (error) {
      const errors = error instanceof HttpProblem ? error.body.errors : undefined
      const field = PHONE_FIELDS.find((name) => errors?.[name])
      if (field) form.setError(field, { message: errors![field]! }, { shouldFocus: true })
      else notify(SOMETHING_WENT_WRONG, { type: 'error' })
    }
  }
  return (
    <AccountDialog
      title={text(known === '' ? 'account.setPhone' : 'account.changePhone')}
      dirty={isDirty}
      busy={isSubmitting}
      onClose={onClose}
      action={
        <Button type="submit" form={formId} variant="contained" loading={isSubmitting} disabled={isWaiting}>
          {text('account.save')}
        </Button>
      }
    >
      <FormProvider {...form}>
        <FormRules value={rules}>
          <Box
            component="form"
            id={formId}
            noValidate
            onSubmit={(event) => void form.handleSubmit(save)(event)}
          >
            {isWaiting ? (
              <Awaiting queries={[query]} height={56} />
            ) : (
              <PhonesInput
                label="account.phone"
                help={offersSms ? 'account.phoneHelp' : 'account.phoneHelpWithoutSms'}
                invalid={INVALID_OWN_PHONE}
                countries={countries}
                defaultCountry={defaultCountry}
              />
            )}
          </Box>
        </FormRules>
      </FormProvider>
    </AccountDialog>
  )
}
