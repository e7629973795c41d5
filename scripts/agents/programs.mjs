/** How each program is pointed at a model of ours, and what it asks. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const KEY = 'sk-ant-none-00000000000000000000';

/**
 * @param where `{home, project, url}`: folders, and the address of the model
 * @returns variables of the environment, further arguments, and the text of its question
 */
export const PROGRAMS = {
  claude: ({ home, project, url }) => {
    save(join(home, '.claude.json'), {
      hasCompletedOnboarding: true,
      theme: 'dark',
      customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
      projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
    });
    const variables = {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: KEY,
      DISABLE_AUTOUPDATER: '1',
      DISABLE_TELEMETRY: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    };
    // By itself it asks nothing: auto mode is its default now.
    return { variables, args: ['--permission-mode', 'default'], question: 'Do you want to proceed?' };
  },
  codex: ({ home, project, url }) => {
    save(
      join(home, '.codex/config.toml'),
      `model = "scripted"
model_provider = "scripted"
approval_policy = "on-request"
sandbox_mode = "read-only"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.scripted]
name = "scripted"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
[projects."${project}"]
trust_level = "trusted"
`,
    );
    return { variables: { SCRIPTED_KEY: KEY }, args: ['--no-daemon'], question: 'Would you like to run' };
  },
  opencode: ({ home, url }) => {
    const model = { name: 'Scripted', tool_call: true, limit: { context: 100_000, output: 10_000 } };
    const provider = {
      npm: '@ai-sdk/openai-compatible',
      name: 'Scripted',
      options: { baseURL: `${url}/v1`, apiKey: KEY },
      models: { scripted: model },
    };
    save(join(home, '.config/opencode/opencode.json'), {
      provider: { scripted: provider },
      model: 'scripted/scripted',
      small_model: 'scripted/scripted',
      permission: { bash: 'ask' },
      autoupdate: false,
      share: 'disabled',
    });
    const variables = {
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    };
    return { variables, args: [], question: 'Permission required' };
  },
  gemini: ({ home, url }) => {
    save(join(home, '.gemini/settings.json'), {
      security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      privacy: { usageStatisticsEnabled: false },
      model: { name: 'gemini-2.5-flash' },
    });
    const variables = { GEMINI_API_KEY: KEY, GOOGLE_GEMINI_BASE_URL: url, GEMINI_CLI_NO_RELAUNCH: 'true' };
    return { variables, args: [], question: 'Allow execution' };
  },
  qwen: ({ home, url }) => {
    save(join(home, '.qwen/settings.json'), {
      security: { auth: { selectedType: 'openai' }, folderTrust: { enabled: false } },
      general: { enableAutoUpdate: false, disableAutoUpdate: true },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      model: { name: 'scripted' },
    });
    const variables = {
      OPENAI_API_KEY: KEY,
      OPENAI_BASE_URL: `${url}/v1`,
      OPENAI_MODEL: 'scripted',
      QWEN_CODE_NO_RELAUNCH: 'true',
    };
    return { variables, args: [], question: 'Allow execution' };
  },
  // It asks for nothing.
  pi: ({ home, url }) => {
    const model = { id: 'scripted', name: 'Scripted', reasoning: false, input: ['text'], contextWindow: 100_000 };
    const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
    const models = [{ ...model, maxTokens: 10_000, cost }];
    const scripted = { baseUrl: `${url}/v1`, api: 'openai-completions', apiKey: KEY, models };
    save(join(home, '.pi/agent/models.json'), { providers: { scripted } });
    const args = ['--provider', 'scripted', '--model', 'scripted'];
    return { variables: { PI_OFFLINE: '1', PI_SKIP_VERSION_CHECK: '1' }, args, question: '' };
  },
  copilot: ({ home, project, url }) => {
    save(join(home, '.copilot/config.json'), { trusted_folders: [project], banner: 'never', auto_update: false });
    const variables = {
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_TYPE: 'openai',
      COPILOT_PROVIDER_API_KEY: KEY,
      COPILOT_MODEL: 'gpt-4.1',
      COPILOT_OFFLINE: 'true',
    };
    return { variables, args: ['--no-auto-update'], question: 'Do you want to run this command?' };
  },
};

function save(file, content) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
}
