/** Lets a button be pressed without the field being left: nobody who cancels has typed an incomplete code. */
export const keepFocus = (event: { preventDefault: () => void }) => event.preventDefault()
