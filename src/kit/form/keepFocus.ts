/** Lets a button be pressed without a blur of the field, so that Cancel reports no incomplete code. */
export const keepFocus = (event: { preventDefault: () => void }) => event.preventDefault()
