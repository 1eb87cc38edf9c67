import { MINIMUM_AGE, PRODUCT_NAME } from '#protocol/constants.ts'
import type { Translation } from '../../../platform/texts/messages.ts'
import type { texts as english } from '../en/sign-in.ts'

export const texts: Translation<typeof english> = {
  'sign-in.title': 'Iniciar sesión',
  'sign-in.heading': `Te damos la bienvenida a ${PRODUCT_NAME}`,
  'sign-in.provider': 'Iniciar sesión con {provider}',
  'sign-in.waiting': 'Iniciando sesión...',
  'sign-in.agreement':
    'Al registrarte aceptas los <terms>Términos y condiciones</terms> y la <privacy>Política de privacidad</privacy>',
  'sign-in.promise.adults': `Solo para adultos: ${MINIMUM_AGE} años o más`,
  'sign-in.promise.anonymous': 'Ningún otro usuario ve tu nombre ni tu correo',
  'sign-in.promise.not-recorded': 'Las conversaciones no se graban',
  'sign-in.hello': 'Hola',
  'sign-in.hi': '¿Qué tal?',
}
