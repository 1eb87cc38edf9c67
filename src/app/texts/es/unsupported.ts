import { PRODUCT_NAME } from '#protocol/constants.ts'
import type { Translation } from '../../../platform/texts/messages.ts'
import type { texts as english } from '../en/unsupported.ts'

export const texts: Translation<typeof english> = {
  'unsupported.old.title': `Este navegador es demasiado antiguo para ${PRODUCT_NAME}`,
  'unsupported.old.text':
    'Actualízalo o usa una versión actual de Chrome, Edge, Firefox, Safari o Samsung Internet. En un iPhone o iPad, actualiza iOS a la versión 16.4 o posterior.',
  'unsupported.insecure.title': 'Esta página no se ha abierto con una conexión segura',
  'unsupported.insecure.text':
    'Sin ella, el navegador no da acceso a la cámara ni al micrófono. Abre la página con una dirección que empiece por https.',
  'unsupported.app.title': `Abre ${PRODUCT_NAME} en tu navegador`,
  'unsupported.app.text':
    'Has abierto esta página dentro de otra app, donde la cámara y el micrófono no suelen funcionar.',
  'unsupported.webrtc.title': 'Este navegador no puede hacer videollamadas',
  'unsupported.webrtc.text':
    'No tiene WebRTC, o está desactivado. Actívalo en los ajustes o en las extensiones del navegador, desactiva el modo de aislamiento para esta página o usa otro navegador.',
  'unsupported.camera.title': 'Este navegador no da acceso a la cámara',
  'unsupported.camera.text':
    'Usa una versión actual de Chrome, Edge, Firefox, Safari o Samsung Internet. Si has abierto esta página dentro de otra app, ábrela en un navegador.',
  'unsupported.cookies.title': 'Las cookies están desactivadas',
  'unsupported.cookies.text': `${PRODUCT_NAME} las necesita para mantener tu sesión abierta. Permite las cookies de esta página en los ajustes del navegador e inténtalo de nuevo.`,
  'unsupported.script.title': `${PRODUCT_NAME} necesita JavaScript`,
  'unsupported.script.text':
    'Activa JavaScript para esta página en los ajustes o en las extensiones del navegador, o usa otro navegador.',
  'unsupported.again': 'Intentarlo de nuevo',
  'unsupported.about': `Acerca de ${PRODUCT_NAME}`,
  'unsupported.secure': 'Abrir la página segura',
  'unsupported.open': 'Abrir en tu navegador',
  'unsupported.how':
    'Elige «Abrir en el navegador» en el menú de esta app, o copia la dirección y pégala en tu navegador.',
  'unsupported.address': 'Dirección de esta página',
  'unsupported.copy': 'Copiar la dirección',
  'unsupported.copied': 'Dirección copiada.',
  'unsupported.go-on': 'Seguir aquí de todos modos',
}
