// What the compiler does not see: unused promises, loose comparisons, text of strangers as HTML.
import js from '@eslint/js';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['node_modules', 'eslint.config.js'] },
  js.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { project: './tsconfig.json' } },
    rules: {
      eqeqeq: 'error',
      'max-lines': ['error', 400],
      'max-lines-per-function': ['error', 100],
      'no-restricted-properties': [
        'error',
        { property: 'innerHTML', message: 'received text must never become HTML: build elements' },
        { property: 'outerHTML', message: 'received text must never become HTML: build elements' },
        { property: 'insertAdjacentHTML', message: 'received text must never become HTML' },
      ],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
);
