import { MINIMUM_AGE, PRODUCT_NAME } from '#protocol/constants.ts'
import type { Translation } from '../../../platform/texts/messages.ts'
import type { texts as english } from '../en/toasts.ts'

export const texts: Translation<typeof english> = {
  'toasts.popup-blocked':
    'Se ha bloqueado la ventana para iniciar sesión. Permite las ventanas emergentes de este sitio',
  'toasts.sign-in-cancelled': 'Se ha cancelado el inicio de sesión',
  'toasts.sign-in-unreachable':
    'No se ha podido llegar a {provider}. Comprueba tu conexión y permite {provider} en los bloqueadores de anuncios y rastreadores.',
  'toasts.sign-in-lost': 'Tu inicio de sesión se ha perdido por el camino. Vuelve a iniciar sesión',
  'toasts.sign-in-failed': 'No se ha podido iniciar sesión con {provider}: {reason}',
  'toasts.peer-left': '{nickName} ha salido del chat.',
  'toasts.connection-lost': 'Se ha perdido la conexión con {nickName}.',
  'toasts.unnamed-peer': 'Alguien',
  'toasts.report-taken': 'Gracias. Hemos enviado tu denuncia a los moderadores.',
  'toasts.report-waiting': 'Enviaremos tu denuncia en cuanto vuelva la conexión.',
  'toasts.report-failed': 'No se ha podido enviar tu denuncia. Si todavía ves a esta persona, vuelve a denunciarla.',
  'toasts.hub-unavailable':
    'Error E300: No podemos conectar con nuestros servicios. Comprueba tu conexión a internet e inténtalo de nuevo.',
  'toasts.replaced': 'Has abierto el chat en otra pestaña, así que aquí ha terminado.',
  'toasts.camera-refused':
    'No se puede acceder a la cámara ni al micrófono. Restablece los permisos e inténtalo de nuevo.',
  'toasts.relay-unavailable':
    'No hay ningún servidor de retransmisión disponible, así que no podemos ocultar tu dirección de red. Inténtalo más tarde o desactiva "Ocultar mi dirección de red".',
  'toasts.deletion-asked':
    'Tu cuenta se eliminará el {due} a más tardar. Si quieres conservarla, inicia sesión antes del {start}.',
  'toasts.pictures-changed':
    'Tu navegador convierte las imágenes en ruido para que no te identifiquen. Permite que esta página lea lienzos (canvas): así funcionan los controles de seguridad y tu foto de perfil.',
  'toasts.device-moved': 'Tu sonido está ahora en: {labels}',
  'toasts.message-too-long': 'Un mensaje tiene como máximo {max} caracteres; el tuyo tiene {length}.',
  'toasts.no-small-window': 'No se ha podido abrir la ventana pequeña.',
  'toasts.refused.back': 'Volver al inicio',
  'toasts.refused.underage.title': `${PRODUCT_NAME} es para adultos`,
  'toasts.refused.underage.text': `Debes tener ${MINIMUM_AGE} años o más. Tu cuenta queda suspendida de forma permanente. Si elegiste la fecha por error, escríbenos: nuestra dirección está en la página Quiénes somos.`,
  'toasts.refused.blocked.title': 'Tu cuenta está suspendida',
  'toasts.refused.blocked.text': 'No puedes chatear con esta cuenta. El panel muestra el motivo y lo que puedes hacer.',
  'toasts.refused.email-missing.title': 'Necesitamos tu correo electrónico',
  'toasts.refused.email-missing.text':
    'La cuenta que has elegido no nos ha dado ninguna dirección de correo confirmada. Vuelve a iniciar sesión y permite el acceso a ella, o usa otra cuenta.',
  'toasts.refused.provider-refused.title': 'No se ha confirmado tu inicio de sesión',
  'toasts.refused.provider-refused.text':
    'No se ha podido confirmar la cuenta que has elegido. Vuelve a iniciar sesión o usa otra cuenta.',
  'toasts.refused.provider-unavailable.title': 'No se ha podido comprobar tu cuenta',
  'toasts.refused.provider-unavailable.text':
    'Google o Facebook no responde en este momento. Vuelve a iniciar sesión dentro de unos minutos.',
}
