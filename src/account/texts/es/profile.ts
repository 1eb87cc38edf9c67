import type { Translation } from '../../../platform/texts/messages.ts'
import type { texts as english } from '../en/profile.ts'

export const texts: Translation<typeof english> = {
  'profile.title': 'Tu perfil',
  'profile.loading': 'Cargando tu perfil...',
  'profile.not-read': 'No se ha podido cargar tu perfil. Inténtalo de nuevo.',
  'profile.picture': 'Foto',
  'profile.picture.camera': 'Usar la cámara',
  'profile.picture.take': 'Hacer la foto',
  'profile.picture.back': 'Volver',
  'profile.picture.file': 'Elegir un archivo',
  'profile.picture.remove': 'Quitar la foto',
  'profile.picture.changed':
    'Tu navegador convierte las imágenes en ruido para que no te identifiquen. Permite que esta página lea lienzos (canvas) y elige de nuevo.',
  'profile.picture.no-camera': 'La cámara no ha dado ninguna imagen. Inténtalo de nuevo.',
  'profile.crop': 'Parte de la foto que se conserva',
  'profile.crop.how': 'Arrastra la foto o muévela con las teclas de flecha.',
  'profile.crop.place': '{x} por ciento desde la izquierda, {y} por ciento desde arriba',
  'profile.crop.zoom': 'Ampliación',
  'profile.preview': 'Cómo te ven los demás',
  'profile.preview.none': 'Los demás ven una cara sin rasgos en lugar de una foto.',
  'profile.preview.hidden': 'Los demás no ven tu foto. Ven una cara sin rasgos.',
  'profile.preview.checking': 'Estamos revisando tu foto. Los demás la verán en cuanto terminemos.',
  'profile.preview.refused': 'Tu última foto incumplía las normas de la comunidad y se ha eliminado.',
  'profile.preview.shown': 'Las personas con las que te encuentras ven esta foto junto a tu apodo.',
  'profile.birth': 'Fecha de nacimiento',
  'profile.birth.fixed': 'No puedes cambiarla. El equipo de moderación puede corregirla.',
  'profile.birth.write': '¿Está mal? Escríbenos: <contact/>.',
  'profile.show': 'Mostrar mi foto a las personas con las que me encuentro',
  'profile.show.why':
    'Solo mientras estáis emparejados, y en pequeño. Una foto puede decir quién eres a personas desconocidas.',
  'profile.save': 'Guardar',
  'profile.saving': 'Guardando...',
  'profile.cancel': 'Cancelar',
  'profile.failed': 'Tu perfil no se ha guardado. Inténtalo de nuevo.',
  'profile.picture-refused': 'Esta foto incumple las normas de la comunidad. Elige otra.',
  'profile.picture-unreadable': 'Este archivo no es una foto que se pueda usar. Elige un JPEG, PNG, WebP o GIF.',
}
